namespace Mux.Generators.Importing;

/// <summary>A C# type in place of a message.</summary>
/// <param name="TypeName">The C# type.</param>
/// <param name="IsLevel200">True for the encodings of protobuf-net's level 200.</param>
/// <param name="IsWrapped">True if the message is there to tell null from zero.</param>
internal sealed record FrameworkValue(string TypeName, bool IsLevel200 = false, bool IsWrapped = false);
