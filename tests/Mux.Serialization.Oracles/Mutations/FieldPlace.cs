namespace Mux.Serialization.Oracles.Mutations;

/// <summary>Where a field stands in a message: its tag, its value behind that, and its end. The value of a field with a length begins with the length.</summary>
internal readonly record struct FieldPlace(int Start, int Value, int End, int Type);
