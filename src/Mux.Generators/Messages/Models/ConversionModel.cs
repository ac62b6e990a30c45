namespace Mux.Generators.Messages.Models;

/// <summary>A conversion between a message and its surrogate.</summary>
/// <param name="OwnerType">Type that declares it.</param>
/// <param name="Method">Metadata name of the method; null if a cast finds it.</param>
/// <param name="NeedsAccessor">True if the method cannot be called by name.</param>
internal sealed record ConversionModel(string OwnerType, string? Method, bool NeedsAccessor);
