using Mux.Contracts;
using Mux.Wire;

namespace Mux.Sessions.Outgoing;

/// <summary>The ordinals this side has given to methods on one connection. Guarded by the connection's lock.</summary>
internal sealed class DefinedMethods
{
    private ushort[] _ordinalPlusOne = []; // by MethodDescriptor.Index; 0 = not defined yet
    private bool[] _compared = []; // by ordinal: whether the definition has a fingerprint, and so may be answered
    private int _count;
    private Dictionary<ushort, MethodFingerprint>? _answers; // by ordinal: what the peer has of methods that are others there

    /// <summary>How many the peer takes.</summary>
    public int Limit { get; set; }

    /// <summary>Whether the peer compares fingerprints, and answers where they differ.</summary>
    public bool ComparesFingerprints { get; set; }

    /// <summary>What a method is here.</summary>
    public static MethodFingerprint FingerprintOf(MethodDescriptor method) => new(method.RequestFingerprint, method.ResponseFingerprint);

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
        if (_count == _compared.Length) Array.Resize(ref _compared, Math.Max(4, _count * 2));
        _compared[_count] = ComparesFingerprints && FingerprintOf(method).IsKnown;
        _ordinalPlusOne[method.Index] = (ushort)++_count;
        return true;
    }

    /// <summary>The peer has answered a definition.</summary>
    /// <returns>False if there was nothing to answer.</returns>
    public bool TryAnswer(in DefineAnswer answer)
    {
        if (answer.Ordinal >= _count || !_compared[answer.Ordinal]) return false;
        (_answers ??= [])[answer.Ordinal] = answer.Fingerprint;
        return true;
    }

    /// <summary>What the method is at the peer, as far as that is known: its own fingerprint, if the peer compares and has not answered.</summary>
    public MethodFingerprint PeersOf(MethodDescriptor method)
    {
        if (!ComparesFingerprints || !TryGet(method, out ushort ordinal)) return default;
        return _answers is not null && _answers.TryGetValue(ordinal, out var answer) ? answer : FingerprintOf(method);
    }
}
