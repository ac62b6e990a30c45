namespace Mux.Generators;

/// <summary>Names generated files so that they differ in more than their casing, as the compiler requires.</summary>
internal static class FileNames
{
    /// <summary>Name of the file that registers the contracts; no contract and no message has this name.</summary>
    public const string Registration = "Registration.g.cs";

    /// <summary>Names a file for each model, in their order: equal models get equal names.</summary>
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
