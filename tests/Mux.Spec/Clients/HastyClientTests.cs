using Mux.Engine;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Clients;

/// <summary>A client whose next call is faster than the thread that frees the slot of the last one takes a new slot, which is as right.</summary>
public sealed class HastyClientTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    /// <summary>Its eighth connection is the real client's: a case that asks for a certain slot would pass by chance.</summary>
    private const string NeedsNoSlot = "An_answer_to_a_PING_that_was_not_sent";

    [Theory]
    [InlineData(7, true)]
    [InlineData(8, false)]
    public async Task A_case_is_played_again_after_a_new_slot_up_to_eight_times_and_is_then_not_for_this_client(int hasty, bool passes)
    {
        var runner = new SpecRunner(new HastyTarget(await fixture.TargetAsync(), hasty), Awaited.Patience);

        var result = await runner.RunAsync(BadInputCatalogue.Find(NeedsNoSlot), SpecSplit.Whole, TestContext.Current.CancellationToken);

        var expected = passes ? SpecVerdict.Passed : SpecVerdict.Skipped;
        Assert.True(result.Verdict == expected, $"{result.Verdict}, step {result.Step}: {result.Got}");
    }

    private sealed class HastyTarget : SpecTarget
    {
        private readonly ClientTarget _asked;
        private int _hasty;

        public HastyTarget(ClientTarget asked, int hasty)
        {
            (_asked, _hasty) = (asked, hasty);
            (Settings, Methods) = (asked.Settings, asked.Methods);
        }

        public override bool IsAccepting => _asked.IsAccepting;

        public override bool MakesCalls => _asked.MakesCalls;

        // Its limit of calls leaves the client no new slot.
        public override byte[] Greeting(bool ownStream) => _asked.Greeting(ownStream);

        public override async Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline)
        {
            var subject = await _asked.OpenAsync(options, deadline);
            return _hasty-- > 0 ? new HastySubject(subject.Wire) : subject;
        }
    }

    private sealed class HastySubject(SpecWire wire) : SpecSubject(wire)
    {
        public override Task OpenCallsAsync(SpecScene scene, bool withStream) => throw new SpecFailure("a call in a new slot") { IsByChance = true };
    }
}
