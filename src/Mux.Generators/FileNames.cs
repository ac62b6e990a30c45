namespace Mux.Generators;

/// <summary>Gives generated files names that differ in more than their casing, as the compiler asks for.</summary>
internal static class FileNames
{
    /// <summary>Of the file that makes the contracts known; no contract and no message has this name.</summary>
    public const string Registration = "Registration.g.cs";

    /// <summary>Names a file for each model, in their order: the same models get the same names.</summary>
    public static IEnumerable<NamedFile<T>> Assign<T>(IEnumerable<T> models, Func<T, string> nameOf)
        where T : IEquatable<T>
    {
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var model in models)
        {
            var (name, file) = (nameOf(model), nameOf(model));
            for (int i = 2; !taken.Add(file); i++) file = $"{name}.{i}";
            yield return new NamedFile<T>(file + ".g.cs", model);
        }
    }
}
