namespace Mux.Generators;

/// <summary>A file that is generated. It is emitted again where one of the two changes.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Model">What stands in it.</param>
internal sealed record NamedFile<T>(string Name, T Model)
    where T : IEquatable<T>;
