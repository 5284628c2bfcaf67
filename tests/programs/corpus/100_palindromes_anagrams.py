# Check palindromes, group anagrams and count letters.
from collections import Counter, defaultdict

phrases = ["A man, a plan, a canal: Panama", "Never odd or even", "Hello", "上海自来水来自海上", "Was it a car or a cat I saw?"]
for p in phrases:
    letters = [c.lower() for c in p if c.isalnum()]
    print(f"{p}: {'palindrome' if letters == letters[::-1] else 'no'}")

words = "listen silent enlist google elbow below inlets act cat tac dog".split()
groups = defaultdict(list)
for w in words:
    groups["".join(sorted(w))].append(w)
for key, members in sorted(groups.items(), key=lambda kv: (-len(kv[1]), kv[0])):
    if len(members) > 1:
        print(key, members)

a, b = Counter("mississippi"), Counter("miss piggy".replace(" ", ""))
print(a.most_common(2), a["z"], a.total())
print(sorted((a & b).items()), sorted((a - b).elements()))
print(sorted(set("pack") & set("jacket")), sorted(set("pack") ^ set("jacket")))


def longest_palindrome(s):
    best = ""
    for i in range(len(s)):
        for j in range(i + len(best) + 1, len(s) + 1):
            if s[i:j] == s[i:j][::-1]:
                best = s[i:j]
    return best


print([longest_palindrome(s) for s in ("babad", "forgeeksskeegfor", "abc")])
print("".join(dict.fromkeys("programming")), "".join(c for c, n in Counter("programming").items() if n == 1))
