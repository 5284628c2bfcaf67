/**
 * How much of a page is read at most, and the time it may take: each bound with its unit and its reason.
 *
 * Pages are made by strangers. Whatever a page holds, reading it ends soon, and says what was left out.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  shidiReader.limits = {
    /** A page of 60,000 elements takes about this long; a person who calls Shidi notices no more than this. */
    TIME_MAX_MS: 400,
    /** Looking at the clock costs as much as reading an element. */
    CLOCK_EVERY_ELEMENTS: 256,
    /** More than any page that people read; data grids show only the rows in view. */
    ELEMENTS_MAX: 60_000,
    /** Browsers draw pages no deeper than about 512 levels. */
    DEPTH_MAX: 400,
    /** About 100,000 words of a model: more fits into no prompt. */
    TEXT_MAX_CHARS: 400_000,
    /** Many times what fits on a large screen. */
    VISIBLE_MAX_CHARS: 40_000,
    /** A selected chapter. */
    SELECTION_MAX_CHARS: 20_000,
    /** What stands before and after a selection, to understand it by. */
    SELECTION_AROUND_CHARS: 300,
    /** The longest forms of public offices have about half as many. */
    FIELDS_MAX: 200,
    BUTTONS_MAX: 60,
    LINKS_MAX: 1_000,
    /** Advertisements come in frames of other sites, which are not read; large ones are named. */
    FRAMES_MAX: 20,
    /** Frames of other sites that are named: a page seldom has more than one that matters. */
    UNREAD_FRAMES_MAX: 8,
    /** Square pixels; most advertisements are smaller, forms, films and documents larger. */
    UNREAD_FRAME_LEAST_PX: 90_000,
    /** Options of a select that are listed. */
    OPTIONS_MAX: 100,
    LABEL_MAX_CHARS: 200,
    VALUE_MAX_CHARS: 2_000,
    /** A longer address is a carrier of data, and names no page. */
    ADDRESS_MAX_CHARS: 2_048,
    TITLE_MAX_CHARS: 300,
    /** Cells of one table that are written out; merged cells may claim to reach over millions. */
    CELLS_MAX: 20_000,
    SPAN_MAX_CELLS: 100,
    /** What is told of a use of a form, agreed with Shidi: labels of forms are shorter, and nobody reads more of them. */
    CHOICE_NAME_MAX_CHARS: 80,
    /** A longer value is what somebody wrote, and not what they chose. */
    CHOICE_VALUE_MAX_CHARS: 80,
    CHOICE_OPTIONS_MAX: 30,
    CHOICE_OPTION_MAX_CHARS: 80,
    CHOICES_MAX: 20,
    /** Forms of one document that are remembered while it stands. */
    CHOICE_FORMS_MAX: 20,
    /** Characters of an attribute that are looked at. */
    ATTRIBUTE_MAX_CHARS: 400,
  };
}
