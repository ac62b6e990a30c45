using Mux.Description;
using Mux.Tool.Contracts;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Which part of a description is shown.</summary>
public sealed class ContractPartTests
{
    private const int Length = 9_000;

    // A call of a method for each link of the chain takes more stack than a thread has.
    [Fact]
    public async Task A_service_is_shown_with_all_callbacks_however_long_their_chain_is()
    {
        var services = string.Concat(Enumerable.Range(0, Length).Select(static i =>
            $"service S{i} {{ rpc Call(M) returns (M) {{ {(i == Length - 1 ? "" : $"option (mux.method) = {{ callbacks: \"S{i + 1}\" }};")} }} }}\n"));
        var set = ContractSet.ReadProto(
            "chain.proto", name => name == "chain.proto" ? $"syntax = \"proto3\"; import \"mux/options.proto\"; message M {{ N n = 1; }} message N {{ }}\n{services}" : null);
        var found = new TaskCompletionSource<ContractPart?>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => found.SetResult(ContractPart.Find(set, "S0")), maxStackSize: 256 << 10).Start();
        var part = (await found.Task.WaitAsync(TestContext.Current.CancellationToken))!;
        Assert.Equal(Length, part.Services.Count);
        Assert.Equal(["M", "N"], part.Messages.Select(static message => message.FullName));
    }

    [Fact]
    public void Defaults_are_shown_as_a_file_has_them()
    {
        const string file = """
            syntax = "proto2";
            message M {
              optional string text = 1 [default = "a\n\"b\""];
              optional bytes blob = 2 [default = "\377\""];
              optional int32 number = 3 [default = 5];
            }
            """;
        var set = ContractSet.ReadProto("m.proto", name => name == "m.proto" ? file : null);
        var shown = ContractText.Of(ContractPart.Find(set, "M")!, []);
        Assert.All(file.Split('\n')[2..5], line => Assert.Contains(line.TrimEnd('\r'), shown));
    }
}
