using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Ordinals that this side has given to methods on one connection. Guarded by the connection's lock, except <see cref="TryGet"/>.</summary>
internal sealed class DefinedMethods
{
    private ushort[] _ordinalPlusOne = []; // by MethodDescriptor.Index; 0 = not defined yet
    private MethodDescriptor?[] _compared = []; // by ordinal: the method, if its definition has a fingerprint, so that the peer may answer it
    private int _count;
    private Dictionary<ushort, MethodFingerprint>? _answers; // by ordinal: the peer's fingerprints that differ

    /// <summary>Most methods that the peer accepts.</summary>
    public int Limit { get; set; }

    /// <summary>True if the peer compares fingerprints and answers those that differ.</summary>
    public bool ComparesFingerprints { get; set; }

    /// <summary>Gets the fingerprint that a method has at this side.</summary>
    public static MethodFingerprint FingerprintOf(MethodDescriptor method) => new(method.RequestFingerprint, method.ResponseFingerprint);

    /// <summary>Gets the ordinal of a method that was defined before. Under the lock, or in the turn.</summary>
    /// <param name="index">The <see cref="MethodDescriptor.Index"/>.</param>
    /// <param name="ordinal">Its ordinal.</param>
    /// <remarks>
    /// The turn needs no lock. An entry is written once and keeps its value when the table grows, so the turn finds the ordinal or nothing; then the call
    /// starts under the lock. It may find one whose DEFINE is not appended yet. But the thread that writes the entry appends the DEFINE before it releases the
    /// lock, and the turn needs the lock to append its request: the DEFINE is before it.
    /// </remarks>
    public bool TryGet(int index, out ushort ordinal)
    {
        int entry = (uint)index < (uint)_ordinalPlusOne.Length ? _ordinalPlusOne[index] : 0;
        ordinal = (ushort)(entry - 1);
        return entry != 0;
    }

    /// <summary>Gives a method the next ordinal, unless the peer accepts no more. The caller appends the DEFINE before the first REQUEST.</summary>
    public bool TryAdd(MethodDescriptor method, out ushort ordinal)
    {
        ordinal = (ushort)_count;
        if (_count >= Math.Min(Limit, ushort.MaxValue)) return false;
        if (method.Index >= _ordinalPlusOne.Length) Array.Resize(ref _ordinalPlusOne, Math.Max(method.Index + 1, _ordinalPlusOne.Length * 2));
        if (_count == _compared.Length) Array.Resize(ref _compared, Math.Max(4, _count * 2));
        _compared[_count] = ComparesFingerprints && FingerprintOf(method).IsKnown ? method : null;
        _ordinalPlusOne[method.Index] = (ushort)++_count;
        return true;
    }

    /// <summary>Notes the peer's answer to a definition.</summary>
    /// <returns>The method; null if there was nothing to answer.</returns>
    public MethodDescriptor? TryAnswer(in DefineAnswer answer)
    {
        if (answer.Ordinal >= _count || _compared[answer.Ordinal] is not { } method) return null;
        (_answers ??= [])[answer.Ordinal] = answer.Fingerprint;
        return method;
    }

    /// <summary>Gets the fingerprint that a method has at the peer, if it is known. If the peer compares and has not answered, it is this side's.</summary>
    public MethodFingerprint PeersOf(MethodDescriptor method)
    {
        if (!ComparesFingerprints || !TryGet(method.Index, out ushort ordinal)) return default;
        return _answers is not null && _answers.TryGetValue(ordinal, out var answer) ? answer : FingerprintOf(method);
    }
}
