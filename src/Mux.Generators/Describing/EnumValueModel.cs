namespace Mux.Generators.Describing;

/// <summary>A constant of an enum.</summary>
/// <param name="Name">The C# name.</param>
/// <param name="Number">The value.</param>
internal sealed record EnumValueModel(string Name, int Number);
