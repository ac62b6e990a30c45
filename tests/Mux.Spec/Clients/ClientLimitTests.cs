using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;

namespace Mux.Spec.Clients;

/// <summary>Cases are chosen by what a client says in its HELLO: those about a limit for one that has exactly this limit, and none that the client's own limits forbid.</summary>
public sealed class ClientLimitTests
{
    [Theory]
    [InlineData("A_frame_of_one_byte_more_than_a_lower_limit")]
    [InlineData("A_message_in_fragments_above_the_limit")]
    [InlineData("A_request_in_a_slot_above_the_limit")]
    [InlineData("One_definition_more_than_taken")]
    [InlineData("An_item_without_credit")]
    [InlineData("An_item_of_a_reply_without_credit")]
    public void A_case_about_a_limit_is_for_a_client_that_has_exactly_this_limit(string name)
    {
        var badInput = BadInputCatalogue.Find(name);

        Assert.Null(WhyNot(badInput, badInput.Options.Local));
        Assert.StartsWith("needs a peer with other limits: ", WhyNot(badInput, new PeerSettings()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_limit_that_no_HELLO_says_is_for_no_client()
    {
        var badInput = BadInputCatalogue.Find("A_message_above_the_room_that_is_left");

        Assert.StartsWith("needs a peer with other limits: room for reassembly", WhyNot(badInput, badInput.Options.Local), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("A_FAIL_of_16385_bytes", "is longer than the 16384 bytes of payload that the peer takes")]
    [InlineData("A_million_fragments_of_1_byte", "needs a peer that takes messages of 1000000 bytes, and not 16384: setting 2")]
    [InlineData("A_frame_of_one_byte_more_than_taken", null)]
    public void A_client_is_sent_nothing_that_its_limits_forbid_but_where_that_is_the_case(string name, string? reason) =>
        Assert.Equal(reason, WhyNot(BadInputCatalogue.Find(name), new PeerSettings { MaxFramePayload = 16_384, MaxMessage = 16_384 }));

    [Theory]
    [InlineData("Large_replies_beyond_the_clients_credit")]
    [InlineData("Items_of_a_reply_in_fragments")]
    public void A_good_server_sends_no_message_that_the_client_does_not_accept(string name)
    {
        var sut = ClientCatalogue.Others.Single(other => other.Name == name);

        Assert.Null(sut.WhyNot(new PeerSettings()));
        Assert.Equal("needs a client that accepts messages of 100000 bytes, and not 99999: setting 2 of its HELLO", sut.WhyNot(new PeerSettings { MaxMessage = 99_999 }));
    }

    private static string? WhyNot(BadInputCase badInput, PeerSettings said) => new AskedTarget { Settings = said }.WhyNot(badInput);

    private sealed class AskedTarget : SpecTarget
    {
        public override bool IsAccepting => false;

        public override bool MakesCalls => true;

        public override Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline) => throw new NotSupportedException();
    }
}
