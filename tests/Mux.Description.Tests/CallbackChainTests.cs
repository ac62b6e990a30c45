using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;

namespace Mux.Description.Tests;

/// <summary>Services of callers whose methods take further services of callers.</summary>
public sealed class CallbackChainTests
{
    private const int Length = 5_000;
    private const string Empty = "google.protobuf.Empty";

    [Fact]
    public void Callbacks_of_callbacks_are_described_with_the_method_that_takes_the_first()
    {
        var set = new ContractSetBuilder().Add(static description =>
        {
            for (int i = 0; i < Length; i++) description.AddService(string.Empty, ServiceWriter.Write(Service(i)).ToArray());
        }).Only(static (service, _) => service == "S0").Build();
        Assert.Equal(Length, set.Services.Count);
        var last = set.FindService("S0")!;
        while (last.Methods[0].Callbacks.Count > 0) last = last.Methods[0].Callbacks[0];
        Assert.Equal($"S{Length - 1}", last.Name);
        Assert.Throws<InvalidDataException>(static () => new ContractSetBuilder()
            .Add(static description => description.AddService(string.Empty, ServiceWriter.Write(Service(0)).ToArray())).Only(static (_, _) => true).Build());
    }

    private static ProtoService Service(int number)
    {
        var method = new ProtoMethod { Name = "Call", RequestName = Empty, ResponseName = Empty };
        if (number < Length - 1) method.Options.Callbacks.Add($"S{number + 1}");
        return new ProtoService { Name = $"S{number}", IsCallback = number > 0, Methods = { method } };
    }
}
