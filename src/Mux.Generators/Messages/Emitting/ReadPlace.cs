namespace Mux.Generators.Messages.Emitting;

/// <summary>The place that a value is read into; it may hold a value, because the same field may occur twice.</summary>
/// <param name="Existing">C# expression of the existing value, which a message is read into.</param>
/// <param name="Parts">C# expression of the buffer for parts of bytes; null if bytes replace the existing value.</param>
/// <param name="IsSlot">True if it needs its own memory, which was not charged yet.</param>
internal sealed record ReadPlace(string Existing, string? Parts, bool IsSlot = false)
{
    /// <summary>An empty place, as for an item of a list.</summary>
    public static ReadPlace New { get; } = new("default", null);
}
