namespace Mux.Tests.Serializers;

/// <summary>A message that is a value.</summary>
public readonly record struct Dimensions(int Width, int Height);
