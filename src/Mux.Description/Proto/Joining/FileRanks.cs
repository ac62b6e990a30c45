using Group = (string Package, bool IsProto2);

namespace Mux.Description.Proto.Joining;

/// <summary>
/// Splits packages that name each other's types, because files cannot import each other in a circle: a type that names one of another such package is in a
/// later file than that. Types that name each other are in one package and syntax already.
/// </summary>
internal static class FileRanks
{
    public static void Assign(Dictionary<string, JoinedType> types)
    {
        var targets = types.Values.ToDictionary(
            static type => type, type => type.Names.Select(name => FileJoin.Find(types, name)).OfType<JoinedType>().Where(target => target != type).ToList());
        var groups = targets.GroupBy(static entry => entry.Key.Group).ToDictionary(
            static group => group.Key, static group => new HashSet<Group>(group.SelectMany(static entry => entry.Value).Select(static target => target.Group)));
        var reached = groups.Keys.ToDictionary(static group => group, group => ReachedFrom(group, groups));

        // Ends: in a circle of types all groups are the same, so no rank of it rises by another one of it.
        for (bool hasRisen = true; hasRisen;)
        {
            hasRisen = false;
            foreach (var target in targets)
            {
                var type = target.Key;
                foreach (var other in target.Value.Where(other => reached[other.Group].Contains(type.Group)))
                {
                    int least = other.Rank + (other.Group == type.Group ? 0 : 1);
                    if (type.Rank >= least) continue;
                    type.Rank = least;
                    hasRisen = true;
                }
            }
        }
    }

    private static HashSet<Group> ReachedFrom(
        Group group, Dictionary<Group, HashSet<Group>> groups)
    {
        var reached = new HashSet<Group>();
        var next = new Stack<Group>([group]);
        while (next.Count > 0)
        {
            foreach (var target in groups[next.Pop()])
            {
                if (reached.Add(target)) next.Push(target);
            }
        }

        return reached;
    }
}
