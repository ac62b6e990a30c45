namespace Mux.Generators.Importing.Naming;

/// <summary>Names of one scope. A name that is in use gets '_' at its end, and then a number.</summary>
/// <param name="reserved">Names that are in use from the beginning.</param>
internal sealed class NameSet(IEnumerable<string> reserved)
{
    private readonly HashSet<string> _taken = new(reserved, StringComparer.Ordinal);
    private readonly Dictionary<string, int> _repeated = new(StringComparer.Ordinal);

    public bool Contains(string name) => _taken.Contains(name);

    public bool Add(string name) => _taken.Add(name);

    /// <summary>Adds a name, or the first like it that is free. Thousands may be alike, so the search continues where the last one ended.</summary>
    public string Take(string name)
    {
        if (_taken.Add(name)) return name;
        _repeated.TryGetValue(name, out int count);
        string free;
        do free = ++count == 1 ? name + "_" : $"{name}_{count}";
        while (!_taken.Add(free));
        _repeated[name] = count;
        return free;
    }
}
