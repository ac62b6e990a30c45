using Mux.Contracts;

namespace Mux.Connections;

/// <summary>The ordinals this side has given to methods on one connection. Guarded by the connection's lock.</summary>
internal sealed class DefinedMethods
{
    private ushort[] _ordinalPlusOne = []; // by MethodDescriptor.Index; 0 = not defined yet
    private int _count;

    /// <summary>How many the peer takes.</summary>
    public int Limit { get; set; }

    /// <summary>The ordinal of a method that was defined before.</summary>
    public bool TryGet(MethodDescriptor method, out ushort ordinal)
    {
        int entry = (uint)method.Index < (uint)_ordinalPlusOne.Length ? _ordinalPlusOne[method.Index] : 0;
        ordinal = (ushort)(entry - 1);
        return entry != 0;
    }

    /// <summary>Gives a method the next ordinal, unless the peer takes no more. The caller appends the DEFINE before the first REQUEST.</summary>
    public bool TryAdd(MethodDescriptor method, out ushort ordinal)
    {
        ordinal = (ushort)_count;
        if (_count >= Math.Min(Limit, ushort.MaxValue)) return false;
        if (method.Index >= _ordinalPlusOne.Length) Array.Resize(ref _ordinalPlusOne, Math.Max(method.Index + 1, _ordinalPlusOne.Length * 2));
        _ordinalPlusOne[method.Index] = (ushort)++_count;
        return true;
    }
}
