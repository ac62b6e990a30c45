using Mux.Tool.Comparing;
using Mux.Tool.Load;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Tests.Reporting;

namespace Mux.Tool.Tests.Comparing;

public sealed class ResultReaderTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void What_was_written_is_read()
    {
        var bytes = ResultJson.Write(ResultFile.Of(new BenchRuns([Outcomes.MakeOpen(), Outcomes.MakeOpen()])));
        File.WriteAllBytes(_file, bytes);

        Assert.Equal(bytes, ResultJson.Write(ResultReader.Read(_file)));
    }

    [Theory]
    [InlineData("", "it is not a result")]
    [InlineData("[1]", "it is not a result: it names no schema")]
    [InlineData("{}", "it is not a result: it names no schema")]
    [InlineData("""{"schema":"mux.bench/2"}""", "its schema is mux.bench/2. Expected a file of 'mux bench --json', schema mux.bench/1.")]
    [InlineData("""{"schema":"mux.bench/1"}""", "parts of it are missing")]
    [InlineData("""{"schema":"mux.bench/1","ci":5}""", "it is not a result")]
    public void Anything_else_is_told(string text, string message)
    {
        File.WriteAllText(_file, text);

        var error = Assert.Throws<ToolException>(() => ResultReader.Read(_file));

        Assert.Equal(ExitCode.Usage, error.ExitCode);
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
        Assert.Contains(_file, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_there_is_told() =>
        Assert.Contains("it cannot be read", Assert.Throws<ToolException>(() => ResultReader.Read("no/such/file.json")).Message, StringComparison.Ordinal);
}
