using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Spec.Carriers;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Servers;

/// <summary>What <c>mux spec</c> asks of a server, of a real one: every case that needs no other limits and no calls of the server itself, in every split, and a good call behind it.</summary>
public abstract class ServerTests(ServerFixture fixture, ServerKind kind) : IClassFixture<ServerFixture>
{
    public static TheoryData<string> Cases() => [.. Playable.Select(badInput => badInput.Name)];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_server_does_what_it_has_to_and_goes_on(string name)
    {
        Assert.SkipWhen(kind == ServerKind.Epoll && !CarrierTransports.IsSupported(Carrier.Epoll), "The operating system does not have it.");
        var runner = new SpecRunner(await fixture.TargetAsync(kind), Awaited.Patience);
        foreach (var split in Enum.GetValues<SpecSplit>())
        {
            var result = await runner.RunAsync(BadInputCatalogue.Find(name), split, TestContext.Current.CancellationToken);
            Assert.True(result.Verdict == SpecVerdict.Passed, $"{split}: {result.Got}");
        }

        await runner.CheckAliveAsync(TestContext.Current.CancellationToken);
    }

    internal static IEnumerable<BadInputCase> Playable
    {
        get
        {
            var target = new DialedTarget(CarrierTransports.Make(Carrier.Memory), CarrierTransports.FreeAddress(Carrier.Memory), SpecMethods.Echo, credentials: null) { Settings = PeerSettings.Default with { ReadsFingerprints = true } };
            return BadInputCatalogue.All.Concat(PayloadCases.All).Where(badInput => target.WhyNot(badInput) is null);
        }
    }
}
