using Mux.Protocol;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Checks the slots of the client's calls against PROTOCOL.md section 2.2. Not thread-safe.</summary>
internal sealed class ClientSlots
{
    private readonly Dictionary<int, uint> _generations = [];

    /// <summary>Setting 3 of this side's HELLO.</summary>
    public required int Limit { get; set; }

    /// <summary>Notes the start of a call.</summary>
    /// <param name="id">Id of its REQUEST.</param>
    /// <param name="isTaken">True if a call of the slot is not answered.</param>
    /// <exception cref="SpecFailure">The id violates a rule.</exception>
    public void Open(CallId id, bool isTaken)
    {
        if (id.Slot > Limit) throw new SpecFailure($"a REQUEST in slot {id.Slot}, above the {Limit} of setting 3");
        if (isTaken) throw new SpecFailure($"a REQUEST in slot {id.Slot}, generation {id.Generation}, whose call is not answered");
        bool isKnown = _generations.TryGetValue(id.Slot, out uint last);
        if (!isKnown && id.Slot != _generations.Count + 1)
        {
            throw new SpecFailure($"a REQUEST in slot {id.Slot}, where the next new one is {_generations.Count + 1}");
        }

        uint next = isKnown ? (last + 1) & CallId.GenerationMask : 1;
        if (id.Generation != next) throw new SpecFailure($"a REQUEST in slot {id.Slot} with the generation {id.Generation}, where the next is {next}");
        _generations[id.Slot] = id.Generation;
    }
}
