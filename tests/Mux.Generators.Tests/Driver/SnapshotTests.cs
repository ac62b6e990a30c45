namespace Mux.Generators.Tests.Driver;

/// <summary>The whole of what is generated for a small contract, for people to read.</summary>
public sealed class SnapshotTests
{
    private const string Contract = """
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        namespace Hr;

        [DataContract]
        public sealed record Query([property: DataMember(Order = 1)] int Id, [property: DataMember(Order = 2)] string? Name);

        [DataContract]
        public sealed class Employee
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public string? Name { get; set; }
            [DataMember(Order = 3)] public System.Collections.Generic.List<Employee>? Reports { get; set; }
        }

        [Mux.MuxService("hr.Directory")]
        public interface IDirectory
        {
            ValueTask<Employee> SearchAsync(Query query, CancellationToken cancellationToken = default);
            Task<bool> MoveAsync(int id, string city);
        }
        """;

    [Theory]
    [InlineData("Registration.g.cs")]
    [InlineData("Hr_IDirectory_Service.g.cs")]
    [InlineData("Hr_QueryCodec.g.cs")]
    [InlineData("Hr_EmployeeCodec.g.cs")]
    public void The_generated_code_is_what_was_reviewed(string file)
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "Driver", "Snapshots");
        var version = typeof(MuxGenerator).Assembly.GetName().Version!.ToString(3);
        var actual = GeneratorRun.Of(Contract).GeneratedFile(file).Replace($"\"{version}\"", "\"VERSION\"", StringComparison.Ordinal);
        var received = Path.Combine(folder, file + ".received.txt");
        File.WriteAllText(received, actual);
        Assert.True(actual == File.ReadAllText(Path.Combine(folder, file + ".txt")), $"Compare with {received}; if the change is meant, copy it over the file in the tests.");
    }
}
