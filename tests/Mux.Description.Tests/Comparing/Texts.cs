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

    public static RecordedContracts Read(string text) => Read([new RecordedFile("t.proto", Whole(text))]);

    public static RecordedContracts Read(IReadOnlyCollection<RecordedFile> files)
    {
        var faults = new List<ProtoFault>();
        var read = RecordedContracts.Read(files, faults);
        Assert.DoesNotContain(faults, static fault => fault.Severity == ProtoFaultSeverity.Error);
        return read!;
    }

    /// <summary>Gets the file of a text. One with required fields is of proto2.</summary>
    public static string Whole(string text)
    {
        var start = text.Contains("required ", StringComparison.Ordinal) ? Start.Replace("proto3", "proto2", StringComparison.Ordinal) : Start;
        return start + (text.Contains("service ", StringComparison.Ordinal) ? text : Service + text);
    }

    public static ContractComparison Compare(string before, string after, bool isJson = false)
    {
        var recorded = Read(before);
        return ContractComparison.Of(recorded.Set, recorded.Services, Read(after).Set, isJson ? ContractLevel.Json : ContractLevel.Wire);
    }
}
