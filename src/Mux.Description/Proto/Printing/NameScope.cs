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

    private readonly string _package;
    private readonly HashSet<string> _types = new(StringComparer.Ordinal);
    private readonly HashSet<string> _scopes = new(StringComparer.Ordinal);

    public NameScope(ProtoFile file)
    {
        _package = file.Package;
        foreach (var message in file.Messages) Add(message);
        foreach (var declared in file.Enums) AddType(declared.FullName);
        foreach (var service in file.Services)
        {
            AddScopes(service.FullName);
            foreach (var method in service.Methods)
            {
                AddType(method.RequestName);
                AddType(method.ResponseName);
            }
        }
    }

    /// <param name="fullName">The type.</param>
    /// <param name="scope">Full name of the message or service that names it.</param>
    public string Refer(string fullName, string scope)
    {
        foreach (var name in new[] { Relative(fullName, scope), fullName })
        {
            if (!s_words.Contains(FirstOf(name)) && Find(name, scope) == fullName) return name;
        }

        return "." + fullName;
    }

    /// <summary>Writes the name of an option of mux/options.proto.</summary>
    public string Option(string fullName, string scope) => IsHidden(FirstOf(fullName), scope) ? $"(.{fullName})" : $"({fullName})";

    private static string FirstOf(string name) => name.IndexOf('.') is >= 0 and var dot ? name.Substring(0, dot) : name;

    private static string Parent(string scope) => scope.Substring(0, Math.Max(0, scope.LastIndexOf('.')));

    private static string Join(string scope, string name) => scope.Length == 0 ? name : $"{scope}.{name}";

    private string Relative(string fullName, string scope)
    {
        for (; scope.Length > 0 && scope.Length >= _package.Length; scope = Parent(scope))
        {
            if (fullName.StartsWith(scope + ".", StringComparison.Ordinal)) return fullName.Substring(scope.Length + 1);
        }

        return fullName;
    }

    private string? Find(string name, string scope)
    {
        var first = FirstOf(name);
        for (; ; scope = Parent(scope))
        {
            var found = Join(scope, first);
            if (first.Length == name.Length ? _types.Contains(found) : _scopes.Contains(found)) return Join(scope, name);
            if (scope.Length == 0) return null;
        }
    }

    private bool IsHidden(string first, string scope)
    {
        for (; scope.Length > 0; scope = Parent(scope))
        {
            if (_scopes.Contains(Join(scope, first))) return true;
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

    private void AddType(string fullName)
    {
        _types.Add(fullName);
        AddScopes(fullName);
    }

    private void AddScopes(string fullName)
    {
        for (var name = fullName; name.Length > 0 && _scopes.Add(name);) name = Parent(name);
    }
}
