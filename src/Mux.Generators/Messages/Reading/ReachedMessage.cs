using Microsoft.CodeAnalysis;

namespace Mux.Generators.Messages.Reading;

/// <summary>A message that one contract reaches, and the way to it.</summary>
/// <param name="Type">The message.</param>
/// <param name="From">The message that mentions it; null if a method does.</param>
internal sealed record ReachedMessage(INamedTypeSymbol Type, ReachedMessage? From);
