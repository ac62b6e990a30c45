namespace Mux.Generators.Tests.Messages;

public class ConditionalBase
{
    public bool InheritedSpecified { get; set; }

    protected bool ShouldSerializeProtected() => true;

    private bool ShouldSerializeUnseen() => false;

    public bool AskUnseen() => ShouldSerializeUnseen();
}
