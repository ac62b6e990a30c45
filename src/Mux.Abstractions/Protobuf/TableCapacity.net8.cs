namespace Mux.Protobuf;

/// <summary>What hash tables say of themselves from .NET 9 on. They always told it when they were asked to grow to nothing.</summary>
internal static class TableCapacity
{
    extension<T>(HashSet<T> set)
    {
        public int Capacity => set.EnsureCapacity(0);
    }

    extension<TKey, TValue>(Dictionary<TKey, TValue> table)
        where TKey : notnull
    {
        public int Capacity => table.EnsureCapacity(0);
    }
}
