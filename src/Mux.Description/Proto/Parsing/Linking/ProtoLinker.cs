using Mux.Description.Proto.Parsing.Checking;
using Mux.Description.Proto.Parsing.Options;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Resolves the names of files that share one tree of names, each after those that it imports, and checks what they declare.</summary>
internal sealed class ProtoLinker(OptionSchema? schema)
{
    private readonly Symbol _root = new(string.Empty, null, SymbolKind.Package, null);
    private readonly Dictionary<ParsedNode, Symbol> _scopes = [];

    public ProtoSet Set { get; } = new();

    /// <returns>True if the file has no errors.</returns>
    public bool Link(ParsedFile file, bool isRoot)
    {
        AddVisible(file);
        new Declarer(_root, _scopes).Declare(file);
        var names = new NameResolver(_root, _scopes, file);
        StructureChecks.Check(file);
        new TypeLinker(file, names, _scopes).Link();
        DefaultChecks.Check(file);
        if (file.Faults.HasErrors) return false;

        // Only the file that declares the options is read without a schema: it is the schema.
        new OptionInterpreter(file, names, _scopes, schema ?? new OptionSchema(file)).Interpret();
        if (file.Faults.HasErrors) return false;
        FeatureLinker.Link(file);
        if (file.Faults.HasErrors) return false;
        FileChecks.Check(file, isRoot);
        MessageChecks.Check(file);
        FieldChecks.Check(file);
        EnumChecks.Check(file);
        if (file.Faults.HasErrors) return false;
        ModelFiller.Fill(file, Set);
        return true;
    }

    private static void AddVisible(ParsedFile file)
    {
        file.Visible.Add(file);
        for (int i = 0; i < file.Imports.Count; i++) AddVisible(file, file.Imports[i]);
    }

    private static void AddVisible(ParsedFile file, ParsedFile imported)
    {
        var next = new Stack<ParsedFile>([imported]);
        while (next.Count > 0)
        {
            var current = next.Pop();
            if (!file.Visible.Add(current)) continue;
            for (int i = 0; i < current.Imports.Count; i++)
            {
                if (current.Model.Imports[i].IsPublic) next.Push(current.Imports[i]);
            }
        }
    }
}
