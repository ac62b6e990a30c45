namespace Mux.TestSupport.Serializers;

/// <summary>The wire names of the contracts of all suites: each has a server of its own.</summary>
public static class SerializerSuite
{
    /// <summary>Of the service.</summary>
    public const string Service = "test.Echo";
}
