namespace Mux.Generators.Messages.Models;

/// <summary>A collection or map other than List and array.</summary>
/// <param name="Target">C# type through which it is filled; null if the items read make a new collection.</param>
/// <param name="Empty">C# expression for an empty one.</param>
/// <param name="Size">Approximate memory of an empty one in bytes; 0 if all share it.</param>
/// <param name="Source">Way to enumerate its items.</param>
/// <param name="IsInterface">True if the member is declared as an interface, with an unknown implementation.</param>
/// <param name="IsStack">True if the first of consecutive items is on top.</param>
/// <param name="IsMap">True if its items are entries.</param>
/// <param name="IsTable">True if it is, or may be, a hash table: clearing it visits every place that it ever had.</param>
/// <param name="IsUnique">True if a repeated key is rejected; otherwise the later entry replaces the earlier one.</param>
internal sealed record CollectionModel(
    string? Target, string Empty, int Size, ItemSource Source, bool IsInterface = false, bool IsStack = false, bool IsMap = false, bool IsTable = false,
        bool IsUnique = false)
{
    /// <summary>True if items can be read into an existing one.</summary>
    public bool CanBeFilled => Target is not null || IsInterface;

    /// <summary>Gets a C# expression for an empty one, charged to the reader.</summary>
    public string MadeFor(string reader) => Size == 0 ? Empty : $"{reader}.PayForMemory({Empty}, {Size})";
}
