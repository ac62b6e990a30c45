using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>
/// Finds what a name in a file means, as protoc does: in the scope where it stands, then in those around it; the first part of the name
/// decides about the scope. Names of files that are not imported count as absent.
/// </summary>
internal sealed class NameResolver
{
    private readonly Symbol _root;
    private readonly ParsedFile _file;
    private readonly HashSet<Symbol> _packages = [];

    public NameResolver(Symbol root, Dictionary<ParsedNode, Symbol> scopes, ParsedFile file)
    {
        _root = root;
        _file = file;
        foreach (var visible in file.Visible)
        {
            for (var package = scopes.TryGetValue(visible, out var found) ? found : null; package is not null && _packages.Add(package);)
                package = package.Parent;
        }
    }

    /// <param name="name">The name as the file has it.</param>
    /// <param name="scope">The innermost scope.</param>
    /// <param name="needsType">True if names of other things do not hide those of types.</param>
    /// <param name="hidden">The file that has it, but is not imported; null if there is none.</param>
    public Symbol? Find(string name, Symbol scope, bool needsType, out ParsedFile? hidden)
    {
        hidden = null;
        var parts = name.Split('.');
        if (parts[0].Length == 0) return Visible(Walk(_root, parts, 1), ref hidden);
        for (var current = scope; current.Parent is not null; current = current.Parent)
        {
            if (Visible(current.Find(parts[0]), ref hidden) is not { } first) continue;
            if (parts.Length == 1)
            {
                if (!needsType || first.IsType) return first;
            }
            else if (first.IsAggregate)
            {
                return Visible(Walk(first, parts, 1), ref hidden);
            }
        }

        return Visible(Walk(_root, parts, 0), ref hidden);
    }

    private static Symbol? Walk(Symbol start, string[] parts, int index)
    {
        Symbol? current = start;
        for (; current is not null && index < parts.Length; index++) current = current.Find(parts[index]);
        return current;
    }

    private Symbol? Visible(Symbol? symbol, ref ParsedFile? hidden)
    {
        if (symbol is null) return null;
        if (symbol.Node is not { } node) return _packages.Contains(symbol) ? symbol : null;
        _file.Used.Add(node.File);
        if (_file.Visible.Contains(node.File)) return symbol;
        hidden = node.File;
        return null;
    }
}
