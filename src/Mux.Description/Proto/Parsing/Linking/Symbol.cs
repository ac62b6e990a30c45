using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Something with a full name, in the tree of all names.</summary>
internal sealed class Symbol(string name, Symbol? parent, SymbolKind kind, ParsedNode? node)
{
    private Dictionary<string, Symbol>? _children;

    public string Name { get; } = name;

    public Symbol? Parent { get; } = parent;

    public SymbolKind Kind { get; } = kind;

    public ParsedNode? Node { get; } = node;

    /// <summary>Gets a value indicating whether names can follow its own after a dot.</summary>
    public bool IsAggregate => Kind is SymbolKind.Package or SymbolKind.Message or SymbolKind.Enum or SymbolKind.Service;

    public bool IsType => Kind is SymbolKind.Message or SymbolKind.Enum;

    public Symbol? Find(string name) => _children is not null && _children.TryGetValue(name, out var child) ? child : null;

    public Symbol Add(string name, SymbolKind kind, ParsedNode? node)
    {
        var child = new Symbol(name, this, kind, node);
        (_children ??= new(StringComparer.Ordinal)).Add(name, child);
        return child;
    }
}
