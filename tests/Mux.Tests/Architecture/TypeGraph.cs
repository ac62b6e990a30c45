namespace Mux.Tests.Architecture;

/// <summary>Which types of an assembly name which others, nested types as parts of the outermost one, and the circles in that.</summary>
internal sealed class TypeGraph
{
    private readonly Dictionary<Type, HashSet<Type>> _edges = [];
    private readonly Dictionary<Type, (int Index, int Low)> _visited = [];
    private readonly Stack<Type> _open = [];
    private readonly List<IReadOnlyList<Type>> _circles = [];

    /// <param name="types">All of them, nested ones too.</param>
    public TypeGraph(IEnumerable<Type> types)
    {
        var all = types.ToList();
        foreach (var type in all) _edges.TryAdd(Outermost(type), []);
        foreach (var type in all) _edges[Outermost(type)].UnionWith(ReferencedTypes.Of(type).Select(Outermost).Where(named => _edges.ContainsKey(named) && named != Outermost(type)));
        foreach (var type in _edges.Keys) if (!_visited.ContainsKey(type)) Visit(type);
    }

    /// <summary>Types of which each reaches every other one, by the strongly connected components of Tarjan (1972); the largest first, and only those of more than one.</summary>
    public IReadOnlyList<IReadOnlyList<Type>> Circles => [.. _circles.Where(circle => circle.Count > 1).OrderByDescending(circle => circle.Count)];

    private static Type Outermost(Type type)
    {
        var outermost = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        while (outermost.DeclaringType is { } declaring) outermost = declaring;
        return outermost;
    }

    private int Visit(Type type)
    {
        int index = _visited.Count, low = index;
        _visited[type] = (index, low);
        _open.Push(type);
        foreach (var named in _edges[type])
        {
            if (!_visited.TryGetValue(named, out var seen)) low = Math.Min(low, Visit(named));
            else if (_open.Contains(named)) low = Math.Min(low, seen.Index);
        }

        _visited[type] = (index, low);
        if (low == index) _circles.Add(Close(type));
        return low;
    }

    private List<Type> Close(Type first)
    {
        var circle = new List<Type>();
        do circle.Add(_open.Pop());
        while (circle[^1] != first);
        return circle;
    }
}
