namespace Mux.Calls;

/// <summary>Number of items that have passed. Written by the code that reads them, read by any thread.</summary>
internal sealed class ItemCount
{
    private long _value;

    public long Value => Volatile.Read(ref _value);

    public void Add(int items = 1) => Volatile.Write(ref _value, _value + items);
}
