using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Mux.Walk.Tests.Weaving;

/// <summary>
/// A method is a one-line forward if its body does nothing but call one other method of Mux with what it was given: it
/// loads its own arguments, constants, fields and properties that only return a field, without a branch and without a
/// local; calls one method that is declared in an assembly of Mux; and returns what it gets. A property that only
/// returns a field is none, for it calls nothing; nor is a constructor, which has to call another one; nor is a method
/// that computes a value, creates an object or calls twice.
/// </summary>
internal static class ForwardRule
{
    /// <summary>Whether a method only calls another one.</summary>
    public static bool IsForward(MethodDefinition method)
    {
        if (!method.HasBody || method.IsConstructor || method.Body.HasExceptionHandlers) return false;
        var called = new List<MethodReference>();
        foreach (var instruction in method.Body.Instructions)
        {
            if (instruction.OpCode.Code is Code.Call or Code.Callvirt) called.Add((MethodReference)instruction.Operand);
            else if (!MayStandBeside(instruction.OpCode.Code)) return false;
        }

        return called.Count > 0 && IsOurs(called[^1]) && called.SkipLast(1).All(ReturnsField);
    }

    private static bool IsOurs(MethodReference called) =>
        called.DeclaringType.GetElementType().Scope.Name.StartsWith("Mux", StringComparison.Ordinal);

    /// <summary>Whether a method of ours is the reader of a property, and returns a field and nothing else.</summary>
    private static bool ReturnsField(MethodReference called) =>
        IsOurs(called) && called.Resolve() is { IsGetter: true, HasBody: true } getter
        && getter.Body.Instructions.Count(instruction => instruction.OpCode.Code is Code.Ldfld or Code.Ldsfld) == 1
        && getter.Body.Instructions.All(instruction =>
            instruction.OpCode.Code is Code.Nop or Code.Ldarg_0 or Code.Ldfld or Code.Ldsfld or Code.Ret);

    private static bool MayStandBeside(Code code) => code switch
    {
        Code.Nop or Code.Ret or Code.Pop or Code.Constrained or Code.Tail => true,
        >= Code.Ldarg_0 and <= Code.Ldarg_3 or Code.Ldarg_S or Code.Ldarga_S or Code.Ldarg or Code.Ldarga => true,
        Code.Ldfld or Code.Ldflda or Code.Ldsfld or Code.Ldsflda or Code.Ldobj => true,
        >= Code.Ldnull and <= Code.Ldc_R8 or Code.Ldstr => true,
        _ => false,
    };
}
