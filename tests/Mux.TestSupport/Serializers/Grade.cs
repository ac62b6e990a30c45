namespace Mux.TestSupport.Serializers;

/// <summary>An enum as messages have them.</summary>
public enum Grade
{
    None,
    Low,
    High = 1000,
}
