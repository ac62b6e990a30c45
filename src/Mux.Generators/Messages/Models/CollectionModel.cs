namespace Mux.Generators.Messages.Models;

/// <summary>A collection or map that is neither List nor array.</summary>
/// <param name="Target">The C# type as which it is filled; null if what was read makes a new one.</param>
/// <param name="Empty">A C# expression for one without items.</param>
/// <param name="Size">Bytes that this takes, about; 0 if all share it.</param>
/// <param name="Source">How its items are taken out.</param>
/// <param name="IsInterface">Whether the member is declared as an interface, which may hide anything.</param>
/// <param name="IsStack">Whether the first of the items that follow each other is uppermost.</param>
/// <param name="IsMap">Whether its items are entries.</param>
/// <param name="IsTable">Whether it is, or may be, a hash table, which looks at every place that it ever had when it is cleared.</param>
/// <param name="IsUnique">Whether an entry whose key is there already is refused; else it replaces the other.</param>
internal sealed record CollectionModel(
    string? Target, string Empty, int Size, ItemSource Source, bool IsInterface = false, bool IsStack = false, bool IsMap = false, bool IsTable = false,
        bool IsUnique = false)
{
    /// <summary>Whether items can be read into one that cannot be replaced.</summary>
    public bool CanBeFilled => Target is not null || IsInterface;

    /// <summary>A C# expression for one without items that is made for a reader, which pays for it.</summary>
    public string MadeFor(string reader) => Size == 0 ? Empty : $"{reader}.PayForMemory({Empty}, {Size})";
}
