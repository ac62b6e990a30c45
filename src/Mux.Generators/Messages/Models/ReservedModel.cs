namespace Mux.Generators.Messages.Models;

/// <summary>Numbers, or one name, that no field of a message may have.</summary>
/// <param name="First">The first number; 0 for a name.</param>
/// <param name="Last">The last number, included.</param>
/// <param name="Name">The C# name of a removed member; null for numbers.</param>
internal sealed record ReservedModel(int First, int Last, string? Name)
{
    public bool Contains(int number) => Name is null && First <= number && number <= Last;
}
