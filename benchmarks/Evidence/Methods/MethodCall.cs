namespace Evidence.Methods;

/// <summary>The code of a user around one method.</summary>
public abstract class MethodCall
{
    /// <summary>Makes a call with a number, and checks that the reply has it.</summary>
    public abstract ValueTask MakeAsync(int number);
}

/// <inheritdoc cref="MethodCall"/>
/// <param name="call">Makes the call with a number in its request.</param>
/// <param name="numberOf">The number in a reply.</param>
public sealed class MethodCall<TReply>(Func<int, ValueTask<TReply>> call, Func<TReply, int> numberOf) : MethodCall
{
    public override async ValueTask MakeAsync(int number)
    {
        var reply = await call(number);
        if (numberOf(reply) != number) throw new EvidenceException($"Call {number} got the reply to call {numberOf(reply)}.");
    }
}
