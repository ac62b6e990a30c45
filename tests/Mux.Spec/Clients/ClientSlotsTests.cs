using Mux.Protocol;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;

namespace Mux.Spec.Clients;

/// <summary>The slots of a client's calls are held against the rule, and a call that breaks it is named.</summary>
public sealed class ClientSlotsTests
{
    private readonly ClientSlots _sut = new() { Limit = 3 };

    [Fact]
    public void A_call_opens_a_free_slot_or_the_lowest_new_one()
    {
        _sut.Open(new CallId(1, 1), isTaken: false);
        _sut.Open(new CallId(2, 1), isTaken: false);
        _sut.Open(new CallId(1, 2), isTaken: false);
        _sut.Open(new CallId(3, 1), isTaken: false); // though a lower one may be free
    }

    [Theory]
    [InlineData(4, 1, false, "a REQUEST in slot 4, above the 3 of setting 3")]
    [InlineData(3, 1, false, "a REQUEST in slot 3, where the next new one is 2")]
    [InlineData(1, 2, true, "a REQUEST in slot 1, generation 2, whose call is not answered")]
    [InlineData(1, 1, false, "a REQUEST in slot 1 with the generation 1, where the next is 2")]
    [InlineData(2, 0, false, "a REQUEST in slot 2 with the generation 0, where the next is 1")]
    public void A_call_anywhere_else_is_named(int slot, uint generation, bool isTaken, string message)
    {
        _sut.Open(new CallId(1, 1), isTaken: false);

        Assert.Equal(message, Assert.Throws<SpecFailure>(() => _sut.Open(new CallId(slot, generation), isTaken)).Message);
    }
}
