namespace Mux.Generators.Messages.Models;

/// <summary>A conversion between a message and its surrogate.</summary>
/// <param name="OwnerType">The type that declares it.</param>
/// <param name="Method">The metadata name of the method; null where a cast finds it.</param>
/// <param name="NeedsAccessor">Whether the method cannot be called by name.</param>
internal sealed record ConversionModel(string OwnerType, string? Method, bool NeedsAccessor);
