namespace Mux.Walk.Tests.Law;

/// <summary>
/// Types of which each reaches every other one. An abstract type with exactly one subclass is one with it: both are one
/// object in two types.
/// </summary>
internal sealed class CodeCircles
{
    private readonly Dictionary<string, List<CodeType>> _nodes = [];
    private readonly Dictionary<string, HashSet<string>> _edges = [];
    private readonly Dictionary<string, (int Index, int Low)> _visited = [];
    private readonly Stack<string> _open = [];
    private readonly List<IReadOnlyList<CodeType>> _circles = [];

    private CodeCircles(IReadOnlyCollection<CodeType> types)
    {
        var known = types.Select(type => type.Key).ToHashSet();
        var only = types.Where(type => type.Base is not null).GroupBy(type => type.Base!)
            .Where(heirs => heirs.Count() == 1 && types.Any(type => type.IsAbstract && type.Key == heirs.Key))
            .ToDictionary(heirs => heirs.Single().Key, heirs => heirs.Key);

        string NodeOf(string key)
        {
            while (only.TryGetValue(key, out var parent)) key = parent;
            return key;
        }

        foreach (var type in types)
        {
            var node = NodeOf(type.Key);
            if (!_nodes.TryGetValue(node, out var members)) (_nodes[node], _edges[node]) = (members = [], []);
            members.Add(type);
            _edges[node].UnionWith(type.Names.Where(known.Contains).Select(NodeOf).Where(named => named != node));
        }

        foreach (var node in _nodes.Keys) if (!_visited.ContainsKey(node)) Visit(node);
    }

    /// <summary>The strongly connected components of more than one type, by Tarjan (1972); the largest first.</summary>
    public static IReadOnlyList<IReadOnlyList<CodeType>> Of(IReadOnlyCollection<CodeType> types) =>
        [.. new CodeCircles(types)._circles.OrderByDescending(circle => circle.Count)];

    private int Visit(string node)
    {
        int index = _visited.Count, low = index;
        _visited[node] = (index, low);
        _open.Push(node);
        foreach (var named in _edges[node])
        {
            if (!_visited.TryGetValue(named, out var seen)) low = Math.Min(low, Visit(named));
            else if (_open.Contains(named)) low = Math.Min(low, seen.Index);
        }

        _visited[node] = (index, low);
        if (low == index) Close(node);
        return low;
    }

    private void Close(string first)
    {
        var circle = new List<string>();
        do circle.Add(_open.Pop());
        while (circle[^1] != first);
        if (circle.Count > 1) _circles.Add([.. circle.SelectMany(node => _nodes[node])]);
    }
}
