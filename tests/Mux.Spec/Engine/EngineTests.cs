using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Spec.Carriers;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Engine;

/// <summary>Every case against a connection in both roles, whole, in pieces and byte by byte.</summary>
public abstract class EngineTests(EngineFixture fixture, Carrier carrier) : IClassFixture<EngineFixture>
{
    public static TheoryData<string, bool> Cases()
    {
        var data = new TheoryData<string, bool>();
        foreach (var badInput in BadInputCatalogue.All)
        {
            if (badInput.Accepting != false) data.Add(badInput.Name, true);
            if (badInput.Accepting != true) data.Add(badInput.Name, false);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_case_ends_as_it_has_to(string name, bool accepting)
    {
        Assert.SkipUnless(CarrierTransports.IsSupported(carrier), "The operating system does not have it.");
        var runner = new SpecRunner(fixture.Target(carrier, accepting), Awaited.Patience);
        foreach (var split in Enum.GetValues<SpecSplit>())
        {
            var result = await runner.RunAsync(BadInputCatalogue.Find(name), split, TestContext.Current.CancellationToken);
            Assert.True(result.Verdict == SpecVerdict.Passed, $"{split}: {result.Got}");
        }
    }
}
