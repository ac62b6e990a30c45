namespace Mux.Generators;

/// <summary>A file to generate. It is emitted again when its name or model changes.</summary>
/// <param name="Name">File name.</param>
/// <param name="Model">Content of the file.</param>
internal sealed record NamedFile<T>(string Name, T Model)
    where T : IEquatable<T>;
