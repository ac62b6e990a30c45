namespace Mux.Generators.Tests.Messages;

/// <summary>Included without an attribute of its own.</summary>
public class Ghost : Animal
{
    protected string? Secret { get; set; }
}
