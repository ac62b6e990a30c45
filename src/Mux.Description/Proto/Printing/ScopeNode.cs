namespace Mux.Description.Proto.Printing;

/// <summary>A package, message, enum or service.</summary>
internal sealed class ScopeNode(string word, ScopeNode? parent)
{
    private Dictionary<string, ScopeNode>? _children;

    /// <summary>Gets the last word of the name.</summary>
    public string Word { get; } = word;

    public ScopeNode? Parent { get; } = parent;

    public int Depth { get; } = parent is null ? 0 : parent.Depth + 1;

    /// <summary>Gets the number of characters of the full name and of the dot after it.</summary>
    public int NameLength { get; } = parent is null ? 0 : parent.NameLength + word.Length + 1;

    public bool IsType { get; set; }

    public ScopeNode? Find(string word) => _children is not null && _children.TryGetValue(word, out var child) ? child : null;

    public ScopeNode Add(string word)
    {
        var child = new ScopeNode(word, this);
        (_children ??= new(StringComparer.Ordinal)).Add(word, child);
        return child;
    }

    /// <summary>Gets the innermost scope around both, which may be one of them.</summary>
    public ScopeNode CommonWith(ScopeNode other)
    {
        var own = this;
        while (own != other)
        {
            if (own.Depth >= other.Depth) own = own.Parent!;
            else other = other.Parent!;
        }

        return own;
    }

    /// <summary>Gets itself, or the scope around it, that is directly in another one.</summary>
    public ScopeNode AncestorBelow(ScopeNode around)
    {
        var node = this;
        while (node.Parent != around) node = node.Parent!;
        return node;
    }
}
