namespace Mux.Generators.Tests.Calls;

public interface ILeft : IReader
{
    ValueTask<string> Side();

    /// <summary>Whoever inherits this calls another method instead.</summary>
    ValueTask<string> IReader.Read(string name) => Read(name.Length);
}
