namespace Mux.Generators.Importing;

/// <summary>A C# file.</summary>
/// <param name="Name">File name.</param>
/// <param name="Text">Its content.</param>
internal sealed record ImportedFile(string Name, string Text);
