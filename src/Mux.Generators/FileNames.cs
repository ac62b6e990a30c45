namespace Mux.Generators;

/// <summary>Gives generated files names that differ in more than their casing, as the compiler asks for.</summary>
internal sealed class FileNames
{
    private readonly HashSet<string> _taken = new(StringComparer.OrdinalIgnoreCase);

    public string For(string name)
    {
        var file = name;
        for (int i = 2; !_taken.Add(file); i++) file = $"{name}.{i}";
        return file + ".g.cs";
    }
}
