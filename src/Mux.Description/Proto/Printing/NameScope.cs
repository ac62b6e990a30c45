namespace Mux.Description.Proto.Printing;

/// <summary>
/// Writes the names of types as short as a file allows: a name is looked for in the message around it first, then further out, and the first place that has its
/// first word counts.
/// </summary>
internal sealed class NameScope
{
    private static readonly HashSet<string> s_words = new(
        ("double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes group map message enum oneof optional "
            + "required repeated reserved extensions extend option stream rpc returns export local").Split(' '),
        StringComparer.Ordinal);

    private readonly ScopeTree _scopes = new();
    private readonly int _packageDepth;

    public NameScope(ProtoFile file)
    {
        _packageDepth = _scopes.Add(file.Package).Depth;
        foreach (var message in file.Messages) Add(message);
        foreach (var declared in file.Enums) AddType(declared.FullName);
        foreach (var service in file.Services)
        {
            _scopes.Add(service.FullName);
            foreach (var method in service.Methods)
            {
                AddType($"{service.FullName}.{method.Name}"); // a method hides a type of its name
                AddType(method.RequestName);
                AddType(method.ResponseName);
            }
        }
    }

    /// <param name="fullName">The type.</param>
    /// <param name="scope">Full name of the message or service that names it.</param>
    public string Refer(string fullName, string scope)
    {
        var type = _scopes.Add(fullName);
        var from = _scopes.Add(scope);
        var around = from.CommonWith(type.Parent!);
        if (around.Depth < _packageDepth) around = _scopes.Root;
        if (IsFound(type, from, around)) return fullName.Substring(around.NameLength);
        return IsFound(type, from, _scopes.Root) ? fullName : "." + fullName;
    }

    /// <summary>Writes the name of an option of mux/options.proto.</summary>
    public string Option(string fullName, string scope)
    {
        var first = fullName.Substring(0, fullName.IndexOf('.'));
        return IsHidden(first, isType: false, _scopes.Add(scope), _scopes.Root) ? $"(.{fullName})" : $"({fullName})";
    }

    // True if the name of the type below a place means the type.
    private static bool IsFound(ScopeNode type, ScopeNode from, ScopeNode around)
    {
        var first = type.AncestorBelow(around);
        return !s_words.Contains(first.Word) && !IsHidden(first.Word, first == type, from, around);
    }

    private static bool IsHidden(string word, bool isType, ScopeNode from, ScopeNode around)
    {
        for (var scope = from; scope != around; scope = scope.Parent!)
        {
            if (scope.Find(word) is { } found && (found.IsType || !isType)) return true;
        }

        return false;
    }

    private void Add(ProtoMessage message)
    {
        AddType(message.FullName);
        foreach (var nested in message.Messages) Add(nested);
        foreach (var declared in message.Enums) AddType(declared.FullName);
        foreach (var field in message.Fields)
        {
            if (field.TypeName is { } type) AddType(type);
        }
    }

    private void AddType(string fullName) => _scopes.Add(fullName).IsType = true;
}
