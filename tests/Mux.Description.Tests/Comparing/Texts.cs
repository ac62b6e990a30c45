using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Comparing;

/// <summary>Contracts from texts.</summary>
internal static class Texts
{
    private const string Start = """
        // Recorded by Mux
        syntax = "proto3";
        package t;
        import "mux/options.proto";
        import "mux/bodies.proto";
        import "bcl.proto";
        import "google/protobuf/empty.proto";
        import "google/protobuf/timestamp.proto";

        """;

    private const string Service = "service S { rpc Do(A) returns (google.protobuf.Empty); }\n";

    public static RecordedContracts Read(string text)
    {
        var faults = new List<ProtoFault>();
        var whole = Start + (text.Contains("service ", StringComparison.Ordinal) ? text : Service + text);
        var read = RecordedContracts.Read([new RecordedFile("t.proto", whole)], faults);
        Assert.DoesNotContain(faults, static fault => fault.Severity == ProtoFaultSeverity.Error);
        return read!;
    }

    public static ContractComparison Compare(string before, string after, bool isJson = false)
    {
        var recorded = Read(before);
        return ContractComparison.Of(recorded.Set, recorded.Services, Read(after).Set, isJson ? ContractLevel.Json : ContractLevel.Wire);
    }
}
