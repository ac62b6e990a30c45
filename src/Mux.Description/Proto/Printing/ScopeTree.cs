namespace Mux.Description.Proto.Printing;

/// <summary>Packages, messages and services by their full names. A name is split into words once, however often it is looked up.</summary>
internal sealed class ScopeTree
{
    private readonly Dictionary<string, ScopeNode> _nodes = new(StringComparer.Ordinal);

    public ScopeNode Root { get; } = new(string.Empty, null);

    /// <summary>Finds a scope, or adds it with those around it.</summary>
    public ScopeNode Add(string fullName)
    {
        if (_nodes.TryGetValue(fullName, out var node)) return node;
        node = Root;
        if (fullName.Length > 0)
        {
            foreach (var word in fullName.Split('.')) node = node.Find(word) ?? node.Add(word);
        }

        _nodes.Add(fullName, node);
        return node;
    }
}
